// How what ends us reaches our children.

/** On Windows the console tells all of its processes, and to pass it on would kill them before they have ended. */
export function passOn(signal, children, isWindows) {
  if (isWindows) return;
  for (const child of children) child.kill(signal);
}
