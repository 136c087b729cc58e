// Command bar search: matches and their order.

import { describe, expect, it } from "vitest";
import {
  findCommands,
  type Command,
} from "../../../../renderer/manager/commands/commands.ts";

const command = (
  name: string,
  group: Command["group"] = "actions",
  words = "",
): Command => ({ id: name, group, name, words, run: () => undefined });
const names = (found: readonly Command[]) => found.map(({ name }) => name);

describe("finding commands", () => {
  it("ranks prefix matches before matches inside a word", () => {
    const all = [command("Next menu"), command("Rename"), command("Menu")];
    expect(names(findCommands(all, "me"))).toEqual([
      ...["Menu", "Next menu", "Rename"],
    ]);
  });

  it("requires every word, and also matches hidden search terms", () => {
    const all = [command("Name", "settings", "hostname"), command("Host")];
    expect(names(findCommands(all, "host"))).toEqual(["Host", "Name"]);
    expect(names(findCommands(all, "host name"))).toEqual(["Name"]);
  });

  it("limits each group, so that none hides another", () => {
    const all = Array.from({ length: 20 }, (_, at) => command(`Asset ${at}`));
    const found = findCommands([...all, command("Assets", "pages")], "asset");
    expect(found.length).toBe(8);
  });
});
