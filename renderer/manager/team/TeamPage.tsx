// The people who may use a content service: who they are, what they may do, invitations, and API keys. For administrators.

import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { InvitationsPanel } from "./InvitationsPanel.tsx";
import { KeysPanel } from "./KeysPanel.tsx";
import { PeoplePanel } from "./PeoplePanel.tsx";

export function TeamPage(): ReactNode {
  return (
    <PageFrame title={t("team.title")} about={t("team.about")}>
      <Stack gap={24} maw={880}>
        <PeoplePanel />
        <InvitationsPanel />
        <KeysPanel />
      </Stack>
    </PageFrame>
  );
}
