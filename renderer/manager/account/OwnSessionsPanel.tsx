// Where the person is signed in: every browser, and signing out of one or of all (V3-166).

import { Button } from "@mantine/core";
import { IconBrowser, IconLogout } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { SessionV3 } from "../../../server/contract/v3/v3-people.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import {
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import {
  useServiceAnswer,
  useServiceRefetch,
} from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { leave } from "../session/leave.ts";
import { browserText } from "./browser-text.ts";

const path = "/account/sessions/";

export function OwnSessionsPanel(): ReactNode {
  const sessions = useServiceAnswer<readonly SessionV3[]>(path);
  const refetch = useServiceRefetch();
  const end = async ({ id, is_current }: SessionV3): Promise<void> => {
    const request = () =>
      requestService("DELETE", `${path}${encodeURIComponent(id)}/`);
    if (is_current) return leave(request);
    try {
      await request();
      await refetch(path);
    } catch (error) {
      notifyFailure(t("session.signOutFailed"), error);
    }
  };
  return (
    <Panel
      title={t("session.browsers")}
      about={t("account.sessions.about")}
      actions={
        <Button
          variant="default"
          leftSection={<IconLogout size={18} aria-hidden />}
          onClick={() => {
            leave(() => requestService("DELETE", path)).catch(
              notifyInternalError,
            );
          }}
        >
          {t("session.signOutEverywhere")}
        </Button>
      }
    >
      {sessions.error ? (
        <div className="panel-note">
          <QueryError
            sentence={t("account.sessions.loadFailed")}
            query={sessions}
          />
        </div>
      ) : null}
      <ul className="panel-rows" aria-label={t("session.browsers")}>
        {sessions.data?.map((session) => (
          <li key={session.id}>
            <IconBrowser size={18} aria-hidden className="quiet" />
            <div className="panel-main">
              <p>
                <bdi>{nameOf(session)}</bdi>
              </p>
              <p className="quiet">
                {session.is_current
                  ? t("account.sessions.current")
                  : t("account.sessions.used", {
                      time: formats.moment(Date.parse(session.used_at)),
                    })}
              </p>
            </div>
            <Button
              variant="default"
              aria-label={t("account.sessions.endNamed", {
                name: nameOf(session),
              })}
              onClick={() => {
                end(session).catch(notifyInternalError);
              }}
            >
              {t("session.signOut")}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function nameOf({ agent }: SessionV3): string {
  return browserText(agent) ?? t("account.sessions.unknown");
}
