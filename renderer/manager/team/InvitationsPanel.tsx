// Invitations that can still be used, to withdraw.

import { Button } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { InvitationV3 } from "../../../server/contract/v3/v3-people.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { roleName } from "../components/access/role-name.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import {
  useServiceAnswer,
  useServiceRefetch,
} from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { invitationsPath } from "./paths.ts";

export function InvitationsPanel(): ReactNode {
  const invitations =
    useServiceAnswer<readonly InvitationV3[]>(invitationsPath);
  const { data } = invitations;
  return (
    <Panel title={t("team.invitations")} about={t("team.invitationsAbout")}>
      {invitations.error ? (
        <div className="panel-note">
          <QueryError
            sentence={t("team.invitationsFailed")}
            query={invitations}
          />
        </div>
      ) : data === undefined ? null : data.length === 0 ? (
        <p className="panel-note quiet">{t("team.noInvitations")}</p>
      ) : (
        <ul className="panel-rows" aria-label={t("team.invitations")}>
          {data.map((invitation) => (
            <Invitation key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Invitation({
  invitation,
}: {
  readonly invitation: InvitationV3;
}): ReactNode {
  const { id, role, labels, person_id: personId } = invitation;
  const email = invitation.email ?? t("team.firstPerson");
  const refetch = useServiceRefetch();
  const withdraw = async (): Promise<void> => {
    try {
      await requestService(
        ...([
          "DELETE",
          `${invitationsPath}${encodeURIComponent(id)}/`,
        ] as const),
      );
      notifySuccess(t("team.withdrawn", { email }));
    } catch (error) {
      notifyFailure(t("team.withdrawFailed", { email }), error);
    } finally {
      await refetch(invitationsPath);
    }
  };
  return (
    <li>
      <IconMail size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>
          <bdi>{email}</bdi>
        </p>
        <p className="quiet">
          {personId === null ? roleName(role, labels) : t("team.newPassword")}
          {" · "}
          {t("team.validUntil", {
            time: formats.moment(Date.parse(invitation.expires_at)),
          })}
        </p>
      </div>
      <Button
        variant="default"
        aria-label={t("team.withdrawNamed", { email })}
        onClick={() => {
          withdraw().catch(notifyInternalError);
        }}
      >
        {t("team.withdraw")}
      </Button>
    </li>
  );
}
