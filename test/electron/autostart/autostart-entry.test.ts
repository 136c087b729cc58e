// Autostart entry of a Linux desktop: quoting of the command for any path.

import { expect, it } from "vitest";
import { entryFor } from "../../../electron/autostart/autostart-entry.ts";

it.each([
  [["/usr/bin/vitrine"], '"/usr/bin/vitrine"'],
  [
    ["/opt/My Apps/vitrine", "--data-dir", "/a b"],
    '"/opt/My Apps/vitrine" "--data-dir" "/a b"',
  ],
  [["/100%"], '"/100%%"'],
  [['/say "hi" $HOME `x`'], '"/say \\\\"hi\\\\" \\\\$HOME \\\\`x\\\\`"'],
  [["C:\\x"], '"C:\\\\\\\\x"'],
])("[V2-254] quotes %j as %s", (command, exec) => {
  const lines = entryFor(command).split("\n");
  expect(lines[0]).toBe("[Desktop Entry]");
  expect(lines).toContain(`Exec=${exec}`);
  expect(lines).toContain("Type=Application");
});
