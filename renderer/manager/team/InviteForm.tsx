// Invites a person: the link is sent to them by email, or shown once.

import { Switch } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";
import type { InvitedV3 } from "../../../server/contract/v3/v3-people.ts";
import { t } from "../../locales/messages.ts";
import { EmailField } from "../components/controls/EmailField.tsx";
import { EditableForm } from "../components/editable-list/EditableForm.tsx";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import {
  AccessFields,
  bodyOfAccess,
  type AccessDraft,
} from "./AccessFields.tsx";
import { invitationsPath } from "./paths.ts";
import { handOverLink, useCanSendLinks } from "./send-link.ts";

export function InviteForm(props: {
  readonly onInvited: (email: string, link: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { onInvited, onClose } = props;
  const [email, setEmail] = useState("");
  const [access, setAccess] = useState<AccessDraft>({
    ...{ role: "viewer", labels: [] },
  });
  const canSend = useCanSendLinks();
  const [isSending, setIsSending] = useState(true);
  const refetch = useServiceRefetch();
  const draft = useMemo(() => ({ email, access }), [email, access]);
  return (
    <EditableForm
      {...{ draft, onClose }}
      label={t("team.invite")}
      submitText={t("team.inviteYes")}
      failedText={t("team.inviteFailed")}
      isReady={email.trim() !== ""}
      onSave={async () => {
        const invited = await requestService<InvitedV3>(
          ...(["POST", invitationsPath] as const),
          {
            ...{ email: email.trim(), ...bodyOfAccess(access) },
            ...(canSend && isSending && { send_email: true }),
          },
        );
        handOverLink(invited, email.trim(), (link) => {
          onInvited(email.trim(), link);
        });
        await refetch(invitationsPath);
      }}
    >
      <EmailField autoComplete="off" value={email} onType={setEmail} />
      <AccessFields access={access} onChange={setAccess} />
      {canSend ? (
        <Switch
          label={t("team.sendLink")}
          description={t("team.sendLinkHelp")}
          checked={isSending}
          onChange={(event) => {
            setIsSending(event.currentTarget.checked);
          }}
        />
      ) : null}
    </EditableForm>
  );
}
