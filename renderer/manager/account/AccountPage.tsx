// The account of the person who is signed in to a content service: name, password, second factor, and where they are signed in.

import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { roleName } from "../components/access/role-name.ts";
import { usePerson } from "../service-requests/person.ts";
import { useSignInMethods } from "../service-requests/sign-in-methods.ts";
import { NamePanel } from "./NamePanel.tsx";
import { OwnPasswordPanel } from "./OwnPasswordPanel.tsx";
import { OwnSessionsPanel } from "./OwnSessionsPanel.tsx";
import { PasskeysPanel } from "./PasskeysPanel.tsx";
import { SecondFactorPanel } from "./SecondFactorPanel.tsx";

export function AccountPage(): ReactNode {
  const { email, role, labels, has_password: hasPassword } = usePerson();
  const { hasPasskeys } = useSignInMethods();
  return (
    <PageFrame
      title={t("account.title")}
      about={<bdi>{`${email} · ${roleName(role, labels)}`}</bdi>}
    >
      <Stack gap={24} maw={880}>
        <NamePanel />
        <OwnPasswordPanel />
        {/* It is asked for after the password. */}
        {hasPassword ? <SecondFactorPanel /> : null}
        {hasPassword && hasPasskeys ? <PasskeysPanel /> : null}
        <OwnSessionsPanel />
      </Stack>
    </PageFrame>
  );
}
