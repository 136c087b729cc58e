// Shows the sign-in, or an invitation, instead of the manager until somebody is signed in to the content service.

import { Box } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { SignedInV3 } from "../../../../server/contract/v3/v3-people.ts";
import { t } from "../../../locales/messages.ts";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { GrantContext } from "../../place/permissions.ts";
import { reasonOf } from "../../reason.ts";
import { useSignedOut } from "../../session/signed-out.ts";
import { PersonContext } from "../requests/person.ts";
import { useServiceAnswer } from "../requests/service-queries.ts";
import { EntrancePage } from "./EntrancePage.tsx";
import { InvitationForm } from "./InvitationForm.tsx";
import { forgetInvitation, useInvitationSecret } from "./invitation-secret.ts";
import { PersonSignIn } from "./PersonSignIn.tsx";

/** A page that sends nothing else notices, too, that its session was ended elsewhere. */
const sessionPollMs = 10_000;

export function PersonGate({
  children,
}: {
  readonly children: ReactNode;
}): ReactNode {
  const signedIn = useServiceAnswer<SignedInV3>("/sign-in/", sessionPollMs);
  const signedOut = useSignedOut();
  const secret = useInvitationSecret();
  const [wasIn, setWasIn] = useState(false);
  const { data, error } = signedIn;
  if (data?.person && !wasIn) setWasIn(true);
  if (data === undefined)
    return error ? (
      <Box p={24} maw={640} mx="auto">
        <ErrorAlert
          sentence={t("service.loadFailed")}
          reason={reasonOf(error)}
          isTrying={signedIn.isFetching}
          onTryAgain={() => {
            signedIn.refetch().catch(notifyInternalError);
          }}
        />
      </Box>
    ) : null;
  const person = signedOut === "no" ? data.person : null;
  if (secret !== null)
    return (
      <EntrancePage>
        <InvitationForm
          key={secret}
          secret={secret}
          isSignedIn={person !== null}
          onLeave={forgetInvitation}
        />
      </EntrancePage>
    );
  if (person === null)
    return (
      <EntrancePage>
        <PersonSignIn isOver={wasIn && signedOut !== "left"} />
      </EntrancePage>
    );
  return (
    <PersonContext value={person}>
      <GrantContext value={person}>{children}</GrantContext>
    </PersonContext>
  );
}
