// Forwards termination signals to child processes.

/** On Windows the console notifies all its processes, and forwarding would kill them before they have shut down. */
export function passOn(signal, children, isWindows) {
  if (isWindows) return;
  for (const child of children) child.kill(signal);
}
