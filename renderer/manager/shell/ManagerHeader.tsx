// Header of every page: what is on the screen and its verdict, the command bar, and the takeover.

import { Flex, Text, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { openCommands } from "../place/open-command-bar.ts";
import { TakeoverButton } from "../takeover/TakeoverButton.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { useNow } from "../api/api.ts";
import { useVerdict } from "../playback/use-verdict.ts";
import { VerdictSign } from "../playback/VerdictIcon.tsx";
import { addressOf } from "../place/navigation.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";

export function ManagerHeader(): ReactNode {
  return (
    <Flex
      component="header"
      align="center"
      gap={12}
      miw={0}
      px="var(--side)"
      bg="var(--rail)"
      style={{ gridArea: "head", borderBlockEnd: "1px solid var(--line)" }}
    >
      <ScreenStatusLine />
      <button
        type="button"
        className="framed-button command-button"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          openCommands();
        }}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <span className="one-line aloud-if-narrow">{t("commands.search")}</span>
        <kbd className="command-keys" aria-hidden>
          {formats.keys("Ctrl+K")}
        </kbd>
      </button>
      <TakeoverButton />
    </Flex>
  );
}

// What is on the screen in one line, on every page: its name, and whether it is correct.

function ScreenStatusLine(): ReactNode {
  const showing = useNow().data?.showing;
  const verdict = useVerdict();
  // A sentence cut off says less than its symbol.
  const isPhone = useMediaQuery("(width < 760px)");
  return (
    <Flex
      component="a"
      align="center"
      gap={8}
      flex={1}
      miw={0}
      h={44}
      bdrs={8}
      c="inherit"
      td="none"
      href={addressOf("now")}
      title={verdict.sentence}
    >
      {showing ? (
        <>
          <KindIcon kind={showing.kind} size={18} color="var(--quiet)" />
          <Text truncate component="span" miw={40} fw={600}>
            {showing.kind === "card" ? (
              t("now.idleScreen")
            ) : (
              <bdi>{showing.name}</bdi>
            )}
          </Text>
        </>
      ) : null}
      <Flex
        component="span"
        align="center"
        gap={6}
        miw={24}
        ps={4}
        style={{ overflow: "hidden" }}
        data-tone={verdict.tone}
      >
        <VerdictSign tone={verdict.tone} size={16} />
        {isPhone ? (
          <VisuallyHidden>{verdict.sentence}</VisuallyHidden>
        ) : (
          <Text truncate component="span">
            {verdict.sentence}
          </Text>
        )}
      </Flex>
    </Flex>
  );
}
