// The screens page before there is a screen: the first step, which depends on whether there is a content service.

import { Button } from "@mantine/core";
import { IconCloud, IconDeviceTv, IconPower } from "@tabler/icons-react";
import { type ReactNode } from "react";
import type { ScreenServiceView } from "../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../locales/messages.ts";
import { AttemptButton } from "../components/controls/AttemptButton.tsx";
import { Empty } from "../components/layout/Empty.tsx";
import { useMayRequest } from "../place/permissions.ts";
import { useRefetch } from "../api/manager-queries.ts";
import { goTo } from "../place/navigation.ts";
import { AddScreenForms } from "./adopted/AddScreenForms.tsx";

export function NoServices(): ReactNode {
  const refetch = useRefetch();
  const start = async (): Promise<void> => {
    try {
      const view = await window.manager.changeHosting({ isOn: true });
      // It says there why it did not start.
      if (view.state === "failed") goTo("connections");
    } finally {
      await refetch("readHosting", "listScreenServices");
    }
  };
  return (
    <Empty
      icon={IconDeviceTv}
      title={t("screens.empty.title")}
      sentence={t("screens.empty.noService")}
    >
      <AttemptButton
        variant="filled"
        leftSection={<IconPower size={18} aria-hidden />}
        failedText={t("hosting.changeFailed")}
        onAttempt={start}
      >
        {t("screens.empty.startService")}
      </AttemptButton>
      <Button
        variant="default"
        leftSection={<IconCloud size={18} aria-hidden />}
        onClick={() => {
          goTo("connections");
        }}
      >
        {t("screens.empty.connect")}
      </Button>
    </Empty>
  );
}

export function NoScreens({
  services,
}: {
  readonly services: readonly ScreenServiceView[];
}): ReactNode {
  const mayAdd = useMayRequest()("POST", "/screens");
  return (
    <Empty
      icon={IconDeviceTv}
      title={t("screens.empty.title")}
      sentence={
        mayAdd ? t("screens.empty.noScreen") : t("screens.empty.notAllowed")
      }
    >
      {mayAdd ? <AddScreenForms services={services} count={0} /> : null}
    </Empty>
  );
}
