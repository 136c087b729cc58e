// Header of every page: what is on the screen and its verdict, the command bar, and the takeover.

import { IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { openCommands } from "../commands/open-command-bar.ts";
import { TakeoverButton } from "../takeover/TakeoverButton.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { useNow } from "../api.ts";
import { useVerdict } from "../now/use-verdict.ts";
import { VerdictSign } from "../now/VerdictIcon.tsx";
import { addressOf } from "../navigation.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";

export function ManagerHeader(): ReactNode {
  return (
    <header className="desk-head">
      <ScreenStatusLine />
      <button
        type="button"
        className="command-button"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          openCommands();
        }}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <span className="command-words">{t("commands.search")}</span>
        <kbd className="command-keys" aria-hidden>
          {formats.keys("Ctrl+K")}
        </kbd>
      </button>
      <TakeoverButton />
    </header>
  );
}

// What is on the screen in one line, on every page: its name, and whether it is correct.

function ScreenStatusLine(): ReactNode {
  const showing = useNow().data?.showing;
  const verdict = useVerdict();
  return (
    <a
      className="screen-status"
      href={addressOf("now")}
      title={verdict.sentence}
    >
      {showing ? <KindIcon kind={showing.kind} size={18} /> : null}
      <span className="screen-status-name">
        {showing ? (
          showing.kind === "card" ? (
            t("now.idleScreen")
          ) : (
            <bdi>{showing.name}</bdi>
          )
        ) : (
          t("now.nothingShown")
        )}
      </span>
      <span className="screen-status-verdict" data-tone={verdict.tone}>
        <VerdictSign tone={verdict.tone} size={16} />
        <span className="screen-status-text">{verdict.sentence}</span>
      </span>
    </a>
  );
}
