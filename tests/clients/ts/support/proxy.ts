// A loopback proxy that adds a key, for test tools that cannot send one.
// Everything else passes as it is, foreign Host and Origin included.
import { createServer, request, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Proxy {
  url: string;
  close(): Promise<void>;
}

export async function keyAdding(target: URL, key: string): Promise<Proxy> {
  let own = "";
  // What names the proxy's own address means the server's.
  const renamed = (value: string | undefined) => value?.replace(own, target.host);
  const server: HttpServer = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    if (headers.host !== undefined) headers.host = renamed(headers.host);
    if (headers.origin !== undefined) headers.origin = renamed(headers.origin);
    const onward = request(
      { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        // An event stream's head must not wait for its first event.
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${own}${target.pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
