// Whether browsers on other devices reach this player by HTTPS, and the certificate's fingerprint to compare with the browser's.

import { Code, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { problemText } from "../api/problem-text.ts";
import type { InfoV2 } from "../../../server/contract/v2/v2-monitoring.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { CopyButton } from "../components/controls/CopyButton.tsx";
import { isBrowser } from "../place/abilities.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { useAnswer } from "../api/operations.ts";

const intervalMs = 30_000;

export function HttpsPanel(): ReactNode {
  // No event says that a certificate or a port can be used now.
  const https = useAnswer("readInfo", {}, { intervalMs }).data?.https;
  if (https === undefined) return null;
  // A page that came by an unknown certificate proves nothing about it.
  const fingerprint =
    https?.is_generated === true && !isBrowser ? https.fingerprint : null;
  return (
    <Panel title={t("settings.https.title")} about={aboutOf(https)}>
      {https?.problem ? (
        <div className="panel-note">
          <p data-tone="fault">{t("settings.https.problem")}</p>
          <p className="quiet">{problemText(https.problem)}</p>
        </div>
      ) : null}
      {fingerprint === null ? null : (
        <Group gap={8} px={16} pb={16} wrap="nowrap">
          <Code dir="ltr" style={{ overflowWrap: "anywhere" }}>
            {fingerprint}
          </Code>
          <CopyButton text={fingerprint} label={t("settings.https.copy")} />
        </Group>
      )}
    </Panel>
  );
}

function aboutOf(https: InfoV2["https"]): ReactNode {
  if (https === null) return t("settings.https.off");
  if (https.expires === null) return undefined;
  const day = formats.day(Date.parse(https.expires));
  if (https.is_generated !== true) return t("settings.https.on", { day });
  return t(
    isBrowser
      ? "settings.https.generatedElsewhere"
      : "settings.https.generated",
    { day },
  );
}
