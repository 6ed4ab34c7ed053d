// Smooth normals of a moving surface, in one pass over the triangles.

/** Adds up the face normals (weighted by area) at each vertex and makes them unit vectors, in place. */
export function smoothNormals(corners: Uint32Array, positions: Float32Array, normals: Float32Array): void {
  normals.fill(0);
  for (let t = 0; t < corners.length; t += 3) {
    const a = 3 * corners[t];
    const b = 3 * corners[t + 1];
    const c = 3 * corners[t + 2];
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const ux = positions[b] - ax;
    const uy = positions[b + 1] - ay;
    const uz = positions[b + 2] - az;
    const vx = positions[c] - ax;
    const vy = positions[c + 1] - ay;
    const vz = positions[c + 2] - az;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    normals[a] += x;
    normals[a + 1] += y;
    normals[a + 2] += z;
    normals[b] += x;
    normals[b + 1] += y;
    normals[b + 2] += z;
    normals[c] += x;
    normals[c + 1] += y;
    normals[c + 2] += z;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i];
    const y = normals[i + 1];
    const z = normals[i + 2];
    const square = x * x + y * y + z * z;
    if (square === 0) continue;
    const scale = 1 / Math.sqrt(square);
    normals[i] = x * scale;
    normals[i + 1] = y * scale;
    normals[i + 2] = z * scale;
  }
}

/** Positions of vertices from those of the points behind them. */
export function gather3(source: Uint32Array, from: Float32Array, to: Float32Array): void {
  for (let v = 0, o = 0; v < source.length; v++, o += 3) {
    const i = 3 * source[v];
    to[o] = from[i];
    to[o + 1] = from[i + 1];
    to[o + 2] = from[i + 2];
  }
}

/** Values of vertices from those of the points behind them. */
export function gather1(source: Uint32Array, from: Float32Array, to: Float32Array): void {
  for (let v = 0; v < source.length; v++) to[v] = from[source[v]];
}
