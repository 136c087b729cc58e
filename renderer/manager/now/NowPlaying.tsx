// What is on the screen in words: its name, the verdict, its progress, and what is next.

import type { ReactNode } from "react";
import { Flex, Group, Progress, Stack, Text } from "@mantine/core";
import type { NowV2 } from "../../../server/contract/v2/v2-screen.ts";
import { addressOf } from "../place/navigation.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { useVerdict } from "../playback/use-verdict.ts";
import { VerdictSign } from "../playback/VerdictIcon.tsx";
import { useMoment } from "../components/use-moment.ts";

// How much of the showing has elapsed, and how long it stays.

/** Four updates a second look smooth and cost nothing. */
const intervalMs = 250;

/** Kinds that end by themselves. */
const selfEndingKinds = new Set(["video", "audio", "pdf"]);

interface Props {
  readonly showing: NonNullable<NowV2["showing"]>;
}

function ShowingProgress({ showing }: Props): ReactNode {
  const { since, until, kind } = showing;
  if (until === null) {
    const time = formats.clock(Date.parse(since));
    return (
      <Flex
        className="figures"
        c="dimmed"
        align="center"
        gap={12}
        component="p"
      >
        {selfEndingKinds.has(kind)
          ? t("now.sinceUntilEnd", { time })
          : t("now.sinceUntilNextDue", { time })}
      </Flex>
    );
  }
  return <Countdown sinceMs={Date.parse(since)} untilMs={Date.parse(until)} />;
}

function Countdown(span: {
  readonly sinceMs: number;
  readonly untilMs: number;
}): ReactNode {
  const moment = useMoment(intervalMs);
  const totalMs = Math.max(1, span.untilMs - span.sinceMs);
  const shownMs = Math.min(totalMs, Math.max(0, moment - span.sinceMs));
  const left = t("now.timeLeft", {
    time: formats.countdown((totalMs - shownMs) / 1000),
  });
  return (
    <Group className="figures" wrap="nowrap" gap={12}>
      <Progress.Root size={8} flex={1} bg="var(--line)" transitionDuration={0}>
        <Progress.Section
          color="var(--accent)"
          value={(shownMs / totalMs) * 100}
          aria-label={t("now.progress")}
          aria-valuetext={left}
        />
      </Progress.Root>
      <Text c="dimmed" miw={72} ta="end">
        {left}
      </Text>
    </Group>
  );
}

export function NowWords({ now }: { readonly now: NowV2 }): ReactNode {
  const { showing, next } = now;
  const verdict = useVerdict();
  const isCard = showing?.kind === "card";
  return (
    <Stack gap={8}>
      <Stack gap={4}>
        {/* The space at its end, or above it on a phone, is that of the age of the screenshot. */}
        <Flex
          component="h2"
          className="now-name"
          align="center"
          gap={8}
          pe={{ base: 0, xs: 184 }}
          mt={{ base: 24, xs: 0 }}
          fz={20}
          fw={650}
          lh="28px"
          lts="-0.01em"
          title={showing?.name}
        >
          {showing ? (
            <KindIcon kind={showing.kind} size={22} color="var(--quiet)" />
          ) : null}
          <Text component="span" className="name" truncate miw={0}>
            {showing === null ? (
              t("now.nothingShown")
            ) : isCard ? (
              t("now.idleScreen")
            ) : (
              <bdi>{showing.name}</bdi>
            )}
          </Text>
        </Flex>
        <Flex
          component="p"
          align="flex-start"
          gap={8}
          fz={15}
          fw={600}
          data-tone={verdict.tone}
        >
          <VerdictSign tone={verdict.tone} size={18} />
          <span>{verdict.sentence}</span>
        </Flex>
        <p className="quiet">
          {verdict.help === null ? null : <span>{verdict.help}</span>}{" "}
          <a className="text-link" href={addressOf("schedule")}>
            {t("now.seeWhy")}
          </a>
        </p>
      </Stack>
      {showing && !isCard ? <ShowingProgress showing={showing} /> : null}
      <Text truncate title={next?.name}>
        {next ? (
          <>
            <span className="quiet">{t("now.next")}</span>{" "}
            <bdi>{next.name}</bdi>
          </>
        ) : isCard ? null : (
          <span className="quiet">{t("now.nothingNext")}</span>
        )}
      </Text>
    </Stack>
  );
}
