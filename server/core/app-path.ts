// Paths inside an app: names of its files, which can never point outside it.

const maxLength = 500;

/** The path is never used on this machine's disk, but must not point anywhere else either. */
export function isAppPath(path: string): boolean {
  return (
    path.length <= maxLength &&
    !/\p{Surrogate}/u.test(path) &&
    // oxlint-disable-next-line no-control-regex -- these are what must not pass
    !/[\u0000-\u001f\u007f\\]/.test(path) &&
    path
      .split("/")
      .every((part) => part !== "" && part !== "." && part !== "..") &&
    !/^[a-z]:/i.test(path)
  );
}
