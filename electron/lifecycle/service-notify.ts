// What systemd is told: Node has no datagram sockets of Unix, so a small program beside it passes the words on.

import { spawn, type ChildProcess } from "node:child_process";

export interface ServiceNotify {
  /** e.g. `READY=1` or `WATCHDOG=1`; several lines are one message. */
  notify(...lines: readonly string[]): void;
  stop(): void;
}

/** Perl is part of every Debian and Ubuntu. Lines in, datagrams out; it ends with us, as its input does. */
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
    // It may end between two words; the next one gets a new one.
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
        // A process for each word: slower, and everywhere where systemd is. It finds the socket where we did.
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
