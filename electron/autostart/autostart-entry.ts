// The entry by which a desktop on Linux starts the player, as its specification wants it written.

/** As the desktop entry specification quotes: a word in double quotes, four signs within with a backslash. */
export function entryFor(command: readonly string[]): string {
  const quoted = command.map(
    (word) =>
      `"${word.replaceAll(/["`$\\]/g, (sign) => `\\${sign}`).replaceAll("%", "%%")}"`,
  );
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Vitrine",
    "Comment=The signage player of this screen",
    // Of a text in such a file each backslash stands twice.
    `Exec=${quoted.join(" ").replaceAll("\\", "\\\\")}`,
    "Terminal=false",
    "X-GNOME-Autostart-enabled=true",
    "",
  ].join("\n");
}
