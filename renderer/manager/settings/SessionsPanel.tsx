// Signing browsers out: this one, or all of them.

import { Button } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Panel } from "../components/layout/Panel.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { operate, useAnswer } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import { t } from "../../locales/messages.ts";
import { leave } from "../session/leave.ts";

/** Only where browsers have to sign in. */
export function SessionsPanel(): ReactNode {
  const session = useAnswer("readSession", {}).data;
  if (session?.is_required !== true) return null;
  return (
    <Panel
      title={t("session.browsers")}
      about={t("session.browsersDescription")}
      actions={
        <>
          {can("signIn") ? (
            <Button
              variant="default"
              leftSection={<IconLogout size={18} aria-hidden />}
              onClick={() => {
                leave(() => operate("signOut", {})).catch(notifyInternalError);
              }}
            >
              {t("session.signOut")}
            </Button>
          ) : null}
          {session.is_phone ? null : (
            <Button
              variant="default"
              onClick={() => {
                signOutAll().catch(notifyInternalError);
              }}
            >
              {t("session.signOutEverywhere")}
            </Button>
          )}
        </>
      }
    />
  );
}

async function signOutAll(): Promise<void> {
  const signOut = () => operate("signOutEverywhere", {});
  if (can("signIn")) return leave(signOut);
  try {
    await signOut();
    notifySuccess(t("session.signedOutEverywhere"));
  } catch (error) {
    notifyFailure(t("session.signOutFailed"), error);
  }
}
