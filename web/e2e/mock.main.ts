// The mock server on the command line: npm run mock -- film|growing|live [port]

import { startMock, type MockMode } from "./mock.ts";

const [mode = "film", port = "0"] = process.argv.slice(2);
const mock = await startMock(mode as MockMode, "dist/index.html", Number(port));
console.log(mock.address);
