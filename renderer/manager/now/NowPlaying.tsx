// What is on the screen in words: its name, the verdict, its progress, and what is next.

import type { ReactNode } from "react";
import { Progress } from "@mantine/core";
import type { NowV2 } from "../../../server/contract/v2/v2-screen.ts";
import { addressOf } from "../navigation.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { useVerdict } from "./use-verdict.ts";
import { VerdictSign } from "./VerdictIcon.tsx";
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
      <p className="now-time quiet">
        {selfEndingKinds.has(kind)
          ? t("now.sinceUntilEnd", { time })
          : t("now.sinceUntilNextDue", { time })}
      </p>
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
    <div className="now-time">
      <Progress.Root size={8} className="now-bar">
        <Progress.Section
          value={(shownMs / totalMs) * 100}
          aria-label={t("now.progress")}
          aria-valuetext={left}
        />
      </Progress.Root>
      <p className="quiet now-left">{left}</p>
    </div>
  );
}

export function NowWords({ now }: { readonly now: NowV2 }): ReactNode {
  const { showing, next } = now;
  const verdict = useVerdict();
  const isCard = showing?.kind === "card";
  return (
    <div className="now-words">
      <div className="now-showing">
        <h2 className="now-name" title={showing?.name}>
          {showing ? <KindIcon kind={showing.kind} size={22} /> : null}
          <span className="name">
            {showing === null ? (
              t("now.nothingShown")
            ) : isCard ? (
              t("now.idleScreen")
            ) : (
              <bdi>{showing.name}</bdi>
            )}
          </span>
        </h2>
        <p className="now-verdict" data-tone={verdict.tone}>
          <VerdictSign tone={verdict.tone} size={18} />
          <span>{verdict.sentence}</span>
        </p>
        <p className="quiet now-help">
          {verdict.help === null ? null : <span>{verdict.help}</span>}{" "}
          <a className="text-link" href={addressOf("schedule")}>
            {t("now.seeWhy")}
          </a>
        </p>
      </div>
      {showing && !isCard ? <ShowingProgress showing={showing} /> : null}
      <p className="now-next" title={next?.name}>
        {next ? (
          <>
            <span className="quiet">{t("now.next")}</span>{" "}
            <bdi>{next.name}</bdi>
          </>
        ) : isCard ? null : (
          <span className="quiet">{t("now.nothingNext")}</span>
        )}
      </p>
    </div>
  );
}
