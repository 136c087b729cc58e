// Plays systemd's end of a service: a real datagram socket, and every message it received.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";

export interface ServiceSocket {
  /** For NOTIFY_SOCKET. */
  readonly address: string;
  /** Messages so far, their lines joined by blanks, each with its time of arrival. */
  readonly received: readonly {
    readonly message: string;
    readonly atMs: number;
  }[];
  until(fits: (message: string) => boolean): Promise<void>;
}

// Node has no such sockets, so Perl listens.
const listener = `
  use Socket; $| = 1;
  my $name = $ARGV[0]; $name =~ s/^@/\\0/;
  socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die;
  bind($socket, pack_sockaddr_un($name)) or die;
  print "listening\\n";
  while (defined recv($socket, my $message, 4096, 0)) { $message =~ s/\\n/ /g; print "$message\\n"; }
`;

export async function openServiceSocket(name?: string): Promise<ServiceSocket> {
  const address = name ?? path.join(await temporaryFolder(), "notify");
  const child = spawn("perl", ["-e", listener, address], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  afterThisTest(async () => {
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  });
  const received: { message: string; atMs: number }[] = [];
  let notify = (): void => undefined;
  let left = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (left + chunk.toString()).split("\n");
    left = lines.pop() ?? "";
    for (const message of lines) received.push({ message, atMs: Date.now() });
    notify();
  });
  const until: ServiceSocket["until"] = (fits) =>
    new Promise((resolve) => {
      notify = () => {
        if (received.some(({ message }) => fits(message))) resolve();
      };
      notify();
    });
  await until((message) => message === "listening");
  received.length = 0;
  return { address, received, until };
}
