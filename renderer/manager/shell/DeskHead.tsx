// The line above every page: what is on the glass and how it fares, the command bar, and the takeover.

import { IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { openCommands } from "../commands/open.ts";
import { GlassLine } from "./GlassLine.tsx";
import { TakeoverButton } from "../takeover/TakeoverButton.tsx";
import { formats, texts } from "../texts/texts.ts";

export function DeskHead(): ReactNode {
  return (
    <header className="desk-head">
      <GlassLine />
      <button
        type="button"
        className="command-button"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          openCommands();
        }}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <span className="command-words">{texts.commands.hint}</span>
        <kbd className="command-keys" aria-hidden>
          {formats.keys("Ctrl+K")}
        </kbd>
      </button>
      <TakeoverButton />
    </header>
  );
}
