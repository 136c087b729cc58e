// Notifies systemd (sd_notify): Node has no Unix datagram sockets, so a small helper program forwards the messages.

import { spawn, type ChildProcess } from "node:child_process";

export interface ServiceNotify {
  /** e.g. `READY=1` or `WATCHDOG=1`; several lines are one message. */
  notify(...lines: readonly string[]): void;
  stop(): void;
}

/** Perl is part of every Debian and Ubuntu. Reads lines, sends datagrams; it ends with this process, as its input does. */
const courier = `
  use Socket;
  my $to = $ARGV[0];
  $to =~ s/^@/\\0/;
  socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or exit 1;
  while (<STDIN>) { chomp; s/\\t/\\n/g; send($socket, $_, 0, pack_sockaddr_un($to)); }
`;

export function createServiceNotify(socket: string): ServiceNotify {
  let child: ChildProcess | null = null;
  let hasPerl = true;
  let isStopped = false;

  function open(): ChildProcess {
    const opened = spawn("perl", ["-e", courier, socket], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    opened.on("error", () => {
      hasPerl = false;
      child = null;
    });
    opened.on("exit", () => {
      if (child === opened) child = null;
    });
    // It may end between two messages; the next message starts a new one.
    opened.stdin?.on("error", () => undefined);
    return opened;
  }

  return {
    notify: (...lines) => {
      if (isStopped) return;
      if (hasPerl) {
        child ??= open();
        child.stdin?.write(`${lines.join("\t")}\n`);
      } else {
        // One process per message: slower, but available wherever systemd is. It finds the socket in the same variable.
        spawn("systemd-notify", [...lines], { stdio: "ignore" }).on(
          "error",
          () => undefined,
        );
      }
    },
    stop: () => {
      isStopped = true;
      child?.stdin?.end();
    },
  };
}
