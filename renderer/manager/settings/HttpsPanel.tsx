// Whether browsers on other devices reach this player by HTTPS, and the certificate's fingerprint to compare with the browser's.

import { Code, Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { InfoV2 } from "../../../server/contract/v2/v2-monitoring.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { CopyButton } from "../components/controls/CopyButton.tsx";
import { Panel } from "../components/layout/Panel.tsx";
import { useAnswer } from "../operations.ts";

export function HttpsPanel(): ReactNode {
  const info = useAnswer("readInfo", {}).data;
  if (!info) return null;
  const { https } = info;
  return (
    <Panel title={t("settings.https.title")} about={aboutOf(https)}>
      {https?.is_generated === true ? (
        <Group gap={8} px={16} pb={16} wrap="nowrap">
          <Code dir="ltr" style={{ overflowWrap: "anywhere" }}>
            {https.fingerprint}
          </Code>
          <CopyButton
            text={https.fingerprint}
            label={t("settings.https.copy")}
          />
        </Group>
      ) : null}
    </Panel>
  );
}

function aboutOf(https: InfoV2["https"]): string {
  if (https === null) return t("settings.https.off");
  const day = formats.day(Date.parse(https.expires));
  return t(
    https.is_generated ? "settings.https.generated" : "settings.https.on",
    { day },
  );
}
