// Paths inside an app: names of its files, which never lead out of it.

const maxLength = 500;

/** It never becomes a path of this machine, and still leads nowhere else. */
export function isAppPath(path: string): boolean {
  return (
    path.length <= maxLength &&
    !/\p{Surrogate}/u.test(path) &&
    // eslint-disable-next-line no-control-regex -- these are what must not pass
    !/[\u0000-\u001f\u007f\\]/.test(path) &&
    path
      .split("/")
      .every((part) => part !== "" && part !== "." && part !== "..") &&
    !/^[a-z]:/i.test(path)
  );
}

/** Far beyond any app for a screen, and far below what would hurt one. */
export const maxAppFiles = 5000;
export const maxAppBytes = 1024 ** 3;
