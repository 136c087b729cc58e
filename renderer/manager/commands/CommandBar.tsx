// The command bar: one search field for everything that has a name.

import { Spotlight, useSpotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { findCommands, type Command } from "./commands.ts";
import { commandStore, takePreset } from "../place/open-command-bar.ts";
import { useCommands } from "./use-commands.ts";
import "./commands.css";

export function CommandBar(): ReactNode {
  const isOpen = useSpotlight(commandStore).opened;
  const [query, setQuery] = useState("");
  return (
    <Spotlight.Root
      store={commandStore}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => {
        setQuery(takePreset());
      }}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      scrollable
      maxHeight={440}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { "aria-label": t("commands.title") } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
    >
      <Spotlight.Search
        aria-label={t("commands.search")}
        placeholder={t("commands.search")}
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
      />
      {isOpen ? <Found query={query} /> : null}
    </Spotlight.Root>
  );
}

/** Mounted only while the bar is open: ten thousand assets are ten thousand commands. */
function Found({ query }: { readonly query: string }): ReactNode {
  const commands = useCommands();
  const matches = useMemo(
    () => findCommands(commands, query),
    [commands, query],
  );
  const groups = useMemo(() => groupsOf(matches), [matches]);
  return (
    <Spotlight.ActionsList>
      {groups.map(([group, members]) => (
        <Spotlight.ActionsGroup
          key={group}
          label={t(`commands.groups.${group}`)}
        >
          {members.map((command) => (
            <Spotlight.Action
              key={command.id}
              label={command.name}
              {...(command.about === undefined
                ? {}
                : { description: command.about })}
              rightSection={
                command.keys === undefined ? null : (
                  <kbd className="command-keys">{command.keys}</kbd>
                )
              }
              onClick={command.run}
            />
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {groups.length === 0 ? (
        <Spotlight.Empty>{t("commands.noMatches")}</Spotlight.Empty>
      ) : null}
    </Spotlight.ActionsList>
  );
}

/** Sorted by their best match. */
function groupsOf(
  commands: readonly Command[],
): readonly (readonly [Command["group"], readonly Command[]])[] {
  const groups = new Map<Command["group"], Command[]>();
  for (const command of commands) {
    const members = groups.get(command.group);
    if (members) members.push(command);
    else groups.set(command.group, [command]);
  }
  return [...groups];
}
