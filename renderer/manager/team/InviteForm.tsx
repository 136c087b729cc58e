// Invites a person: the link is shown once, to be sent to them.

import { TextInput } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";
import type { InvitedV3 } from "../../../server/contract/v3/v3-people.ts";
import { t } from "../../locales/messages.ts";
import { EditableForm } from "../components/editable-list/EditableForm.tsx";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import {
  AccessFields,
  bodyOfAccess,
  type AccessDraft,
} from "./AccessFields.tsx";
import { invitationsPath } from "./paths.ts";

export function InviteForm(props: {
  readonly onInvited: (email: string, link: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { onInvited, onClose } = props;
  const [email, setEmail] = useState("");
  const [access, setAccess] = useState<AccessDraft>({
    ...{ role: "viewer", labels: [] },
  });
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
        const { link } = await requestService<InvitedV3>(
          ...(["POST", invitationsPath] as const),
          { email: email.trim(), ...bodyOfAccess(access) },
        );
        onInvited(email.trim(), link);
        await refetch(invitationsPath);
      }}
    >
      <TextInput
        label={t("service.email")}
        type="email"
        autoComplete="off"
        autoFocus
        required
        dir="ltr"
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
        }}
      />
      <AccessFields access={access} onChange={setAccess} />
    </EditableForm>
  );
}
