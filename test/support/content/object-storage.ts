// A real S3 server on loopback: s3rver, which installs from npm alone. It does not verify signatures, so the tests do. In front of it
// stands a gate, to take it away.

import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import S3rver from "s3rver";
import {
  readStorageAddress,
  type StorageAddress,
} from "../../../server/content/files/storage-address.ts";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";

/** `stalled`: of each answer only the first 64 KiB arrive. */
type GateState = "open" | "closed" | "silent" | "stalled";

export interface ObjectStorage {
  /** e.g. `http://127.0.0.1:40123` */
  readonly endpoint: string;
  readonly text: string;
  readonly address: StorageAddress;
  /** Folder with a file per object. */
  readonly folder: string;
  /** Requests so far, as method and path. */
  readonly requests: string[];
  /** Of requests that named a trace. */
  readonly traceparents: readonly string[];
  /** Closes all connections; new ones are closed as well, or are never answered. */
  set(state: GateState): void;
  /** A further bucket of the same server. */
  bucket(name: string): StorageAddress;
}

const storageCredentials = {
  AWS_ACCESS_KEY_ID: "S3RVER",
  AWS_SECRET_ACCESS_KEY: "S3RVER",
};

/** Amazon's client reads its credentials from the environment. */
Object.assign(process.env, storageCredentials);

export async function startObjectStorage(): Promise<ObjectStorage> {
  const folder = await temporaryFolder();
  const server = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory: folder },
    configureBuckets: ["screens", "other"].map((name) => ({
      ...{ name, configs: [] },
    })),
  });
  const { port } = await server.run();
  afterThisTest(() => server.close());
  const gate = await openGate(port);
  const endpoint = `http://127.0.0.1:${gate.port}`;
  const textOf = (bucket: string): string =>
    `s3://${bucket}/vitrine?endpoint=${endpoint}`;
  const bucket = (name: string): StorageAddress => {
    const address = readStorageAddress(textOf(name));
    if (!address) throw new Error(`not an address: ${textOf(name)}`);
    return address;
  };
  return {
    ...{ endpoint, folder, bucket, requests: gate.requests },
    traceparents: gate.traceparents,
    ...{ text: textOf("screens"), address: bucket("screens") },
    set: gate.set,
  };
}

/** Whether this address has the signature (AWS Signature Version 4, in the query) of the storage's only account. */
export function isSigned(address: string): boolean {
  const { host, pathname, searchParams } = new URL(address);
  const given = searchParams.get("X-Amz-Signature");
  const encoded = (text: string): string =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&");
  const request = [
    ...["GET", pathname, query, `host:${host}`, ""],
    ...["host", "UNSIGNED-PAYLOAD"],
  ].join("\n");
  const [, ...scope] = (searchParams.get("X-Amz-Credential") ?? "").split("/");
  const text = [
    ...["AWS4-HMAC-SHA256", searchParams.get("X-Amz-Date"), scope.join("/")],
    createHash("sha256").update(request).digest("hex"),
  ].join("\n");
  const secret = `AWS4${storageCredentials.AWS_SECRET_ACCESS_KEY}`;
  const key = scope.reduce<string | Buffer>(
    (made, part) => createHmac("sha256", made).update(part).digest(),
    secret,
  );
  return createHmac("sha256", key).update(text).digest("hex") === given;
}

async function openGate(port: number) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const traceparents: string[] = [];
  let state: GateState = "open";
  const gate = createServer((client) => {
    if (state === "closed") {
      client.destroy();
      return;
    }
    if (state === "silent") {
      sockets.add(client.on("error", () => undefined).resume());
      return;
    }
    const server = connect(port, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("close", () => server.destroy());
    // What is on its way arrives.
    server.on("close", () => client.end());
    client.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      const [, line] = /^([A-Z]+ \S+) HTTP\/1\.1\r\n/.exec(text) ?? [];
      const [, traceparent] = /^traceparent: (.*)\r$/im.exec(text) ?? [];
      if (traceparent !== undefined) traceparents.push(traceparent);
      if (line) requests.push(line);
    });
    client.pipe(server);
    let bytes = 0;
    server.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (state === "stalled" && bytes > 64 * 1024) return;
      if (!client.write(chunk)) server.pause();
    });
    client.on("drain", () => server.resume());
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  afterThisTest(async () => {
    close();
    gate.close();
    await once(gate, "close");
  });
  return {
    ...{ port: (gate.address() as AddressInfo).port, requests },
    traceparents,
    set: (next: GateState) => {
      state = next;
      close();
    },
  };
}
