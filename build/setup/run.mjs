// Runs other programs, and forwards signals to them.

import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { passOn } from "./forward-signal.mjs";
import { onWindows, root } from "./paths.mjs";

const children = new Set();
let inFront = false;
let stoppedBy;

// On Windows only from the console: Ctrl+C, Ctrl+Break and closing it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"]) {
  process.on(signal, () => {
    // On a terminal, the program in the foreground has received Ctrl-C from the terminal itself.
    if (inFront && signal === "SIGINT" && process.stdin.isTTY) return;
    stop(signal);
  });
}
endWithNpm();

function stop(signal) {
  stoppedBy = signal;
  passOn(signal, children, onWindows);
  if (children.size === 0) process.exit(exitCodeOf(null, signal));
}

// npm sends a signal to the shell in between, and many shells exit without forwarding it to their child.
function endWithNpm() {
  if (onWindows || process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looking);
    stop("SIGTERM");
  }, 200);
  looking.unref();
}

/** Runs a program and captures its output; returns how it ended and what it printed. */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = begin(command, args, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (chunk) => (output = (output + chunk).slice(-20_000));
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    options.onStart?.(child.pid);
    const bound =
      options.withinMs &&
      setTimeout(() => child.kill("SIGKILL"), options.withinMs);
    const end = (code, said) => {
      clearTimeout(bound);
      children.delete(child);
      if (stoppedBy) process.exit(exitCodeOf(null, stoppedBy));
      resolve({ ok: code === 0, code, output: said });
    };
    child.on("error", (error) => end(null, error.message));
    child.on("close", (code) => end(code, output));
  });
}

/** Runs the requested program in the foreground, with the terminal as its own; returns its exit code. */
export function runInFront(command, args, options = {}) {
  inFront = true;
  return new Promise((resolve) => {
    const child = begin(command, args, { ...options, stdio: "inherit" });
    child.on("error", (error) => {
      process.stderr.write(
        `${command} could not be started: ${error.message}\n`,
      );
      resolve(1);
    });
    child.on("exit", (code, signal) => resolve(exitCodeOf(code, signal)));
  });
}

/** The npm that started this, run by the Node it belongs to; else the one on the PATH. */
export function npm(args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith(".js"))
    return [
      process.env.npm_node_execpath ?? process.execPath,
      [script, ...args],
    ];
  return onWindows
    ? ["cmd.exe", ["/d", "/s", "/c", "npm.cmd", ...args]]
    : ["npm", args];
}

/** The output of a short program; empty when it is not installed. */
export function outputOf(command, args) {
  const env = { ...process.env, LC_ALL: "C" };
  return spawnSync(command, args, { encoding: "utf8", env }).stdout ?? "";
}

export function lastLines(output, count = 15) {
  return output.trimEnd().split("\n").slice(-count).join("\n");
}

function begin(command, args, { cwd = root, env = process.env, stdio }) {
  const child = spawn(command, args, { cwd, env, stdio });
  children.add(child);
  child.on("exit", () => children.delete(child));
  return child;
}

function exitCodeOf(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}
