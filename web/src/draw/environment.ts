// A small studio that lights the bodies from all around: a dome, two soft boxes and a strip.

import {
  BackSide,
  BoxGeometry,
  Color,
  Mesh,
  MeshBasicMaterial,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
  type Texture,
  type WebGLRenderer,
} from "three";

const DOME = {
  vertexShader: "varying vec3 vAt; void main() { vAt = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
  fragmentShader: `
    varying vec3 vAt;
    void main() {
      float up = normalize(vAt).z;
      vec3 low = vec3(0.16, 0.15, 0.15), side = vec3(0.42, 0.45, 0.52), high = vec3(0.95, 0.98, 1.05);
      vec3 colour = up < 0.0 ? mix(side, low, min(1.0, -2.0 * up)) : mix(side, high, pow(up, 0.8));
      gl_FragColor = vec4(colour, 1.0);
    }`,
};

/** x y z of the middle, size, brightness. */
const LAMPS: readonly (readonly [Vector3, Vector3, number])[] = [
  [new Vector3(-3, -2, 7), new Vector3(5, 5, 0.1), 7],
  [new Vector3(8, -2, 2.5), new Vector3(0.1, 4, 3), 3.2],
  [new Vector3(-7, 5, 2), new Vector3(0.1, 2.2, 5), 4],
];

export function studio(renderer: WebGLRenderer): Texture {
  const scene = new Scene();
  const dome = new Mesh(new SphereGeometry(20, 32, 16), new ShaderMaterial({ ...DOME, side: BackSide, depthWrite: false }));
  scene.add(dome);
  for (const [middle, size, brightness] of LAMPS) {
    const lamp = new Mesh(
      new BoxGeometry(...size.toArray()),
      new MeshBasicMaterial({ color: new Color(brightness, brightness, brightness) }),
    );
    lamp.position.copy(middle);
    scene.add(lamp);
  }
  const generator = new PMREMGenerator(renderer);
  const texture = generator.fromScene(scene, 0.03).texture;
  generator.dispose();
  scene.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    part.geometry.dispose();
    (part.material as MeshBasicMaterial).dispose();
  });
  return texture;
}
