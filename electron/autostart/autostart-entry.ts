// Autostart entry of a Linux desktop, as the desktop entry specification defines it.

/** Quoting of the desktop entry specification: each word in double quotes, four characters escaped by a backslash. */
export function entryFor(command: readonly string[]): string {
  const quoted = command.map(
    (word) =>
      `"${word.replaceAll(/["`$\\]/g, (sign) => `\\${sign}`).replaceAll("%", "%%")}"`,
  );
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Vitrine",
    "Comment=Digital signage player",
    // In a string value of such a file every backslash is doubled.
    `Exec=${quoted.join(" ").replaceAll("\\", "\\\\")}`,
    "Terminal=false",
    "X-GNOME-Autostart-enabled=true",
    "",
  ].join("\n");
}
