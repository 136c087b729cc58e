// What a chosen or dropped file is: whether it is one, and its name without the extension.

/** A dropped folder looks like a file, and cannot be read. */
export async function isFile(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

export function plainNameOf({ name }: File): string {
  return name.replace(/(?<=.)\.[^.]*$/, "");
}
