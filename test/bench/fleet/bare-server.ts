// What is below every figure: Node's HTTP server and `ws` with the same options, and nothing else; it pings nobody.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const server = createServer();
const sockets = new WebSocketServer({
  ...{ server, clientTracking: true, perMessageDeflate: false },
  maxPayload: 1024,
});
sockets.on("connection", (socket) => {
  socket.on("error", () => socket.terminate());
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`bare is ready: http://127.0.0.1:${port}`);
});
