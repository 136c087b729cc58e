// The system check: what on this PC would stop, cover, slow or blank the screen, and what to do about it.

import { Button, Code, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  IconAlertTriangle,
  IconBulb,
  IconCircleCheck,
  IconHelpCircle,
  IconStethoscope,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { SiteLineView } from "../../../../server/contract/ipc/ipc-pc.ts";
import { reasonOf } from "../../api/reason.ts";
import { CopyButton } from "../../components/controls/CopyButton.tsx";
import { Panel } from "../../components/layout/Panel.tsx";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { formats, translator } from "../../../locales/language.ts";
import { messageFor, t } from "../../../locales/messages.ts";
import { findingsIn } from "../../../locales/system-check-findings.ts";

import { notifyInternalError } from "../../components/outcomes/outcome.ts";

const signs: Readonly<Record<SiteLineView["verdict"], Icon>> = {
  good: IconCircleCheck,
  advice: IconBulb,
  fault: IconAlertTriangle,
  unknown: IconHelpCircle,
};

const colours: Readonly<Record<SiteLineView["verdict"], string>> = {
  ...{ good: "var(--quiet)", advice: "var(--waiting)" },
  ...{ fault: "var(--fault)", unknown: "var(--quiet)" },
};

export function SystemCheckPanel(): ReactNode {
  const check = useQuery({
    queryKey: ["checkSite"],
    queryFn: () => window.manager.checkSite({}),
    enabled: false,
    retry: false,
  });
  const { data, isFetching } = check;
  return (
    <Panel
      title={t("systemCheck.title")}
      about={t("systemCheck.description")}
      actions={
        <Button
          variant="default"
          leftSection={<IconStethoscope size={18} aria-hidden />}
          loading={isFetching}
          onClick={() => {
            check.refetch().catch(notifyInternalError);
          }}
        >
          {data ? t("systemCheck.checkAgain") : t("systemCheck.check")}
        </Button>
      }
    >
      {isFetching ? (
        <p className="panel-note quiet after-a-moment" role="status">
          {t("systemCheck.checking")}
        </p>
      ) : check.isError ? (
        <div className="panel-note">
          <ErrorAlert
            sentence={t("systemCheck.failed")}
            reason={reasonOf(check.error)}
            isTrying={isFetching}
            onTryAgain={() => {
              check.refetch().catch(notifyInternalError);
            }}
          />
        </div>
      ) : data ? (
        <>
          <p className="panel-note" role="status">
            {t("systemCheck.summary", {
              count: data.faults,
              time: formats.time(Date.parse(data.time)),
            })}
          </p>
          <ul className="panel-rows" aria-label={t("systemCheck.title")}>
            {data.lines.map((line) => (
              <Line key={line.name} line={line} />
            ))}
          </ul>
        </>
      ) : null}
    </Panel>
  );
}

const findingOf = findingsIn(translator);

function Command({ typed }: { readonly typed: string }): ReactNode {
  return (
    <Group wrap="nowrap" align="flex-start" gap={8} mt={4}>
      <Code
        block
        flex={1}
        miw={0}
        py={8}
        bg="var(--ground)"
        bd={0}
        bdrs={6}
        dir="ltr"
      >
        {typed}
      </Code>
      <CopyButton text={typed} label={t("settings.copyCommand")} />
    </Group>
  );
}

function Line({ line }: { readonly line: SiteLineView }): ReactNode {
  const { name, verdict, fact } = line;
  const { found, advice, command } = findingOf(fact);
  const Sign = signs[verdict];
  return (
    <li className="site-line" data-verdict={verdict}>
      <Sign
        size={20}
        color={colours[verdict]}
        style={{ alignSelf: "flex-start", marginBlockStart: 2 }}
        aria-hidden
      />
      <div className="panel-main">
        <p>
          {t("systemCheck.result", {
            check: messageFor("systemCheck.checks", name) ?? name,
            verdict: t(`systemCheck.verdicts.${verdict}`),
          })}
        </p>
        <p className="quiet">{found}</p>
        {advice === null ? null : <p>{advice}</p>}
        {command === undefined ? null : <Command typed={command} />}
      </div>
    </li>
  );
}
