// Shows the sign-in, or the form of a link, instead of the manager until somebody is signed in to the content service.

import { Box } from "@mantine/core";
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";
import type { SignedInV3 } from "../../../../server/contract/v3/v3-people.ts";
import { t } from "../../../locales/messages.ts";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { GrantContext } from "../../place/permissions.ts";
import { reasonOf } from "../../api/reason.ts";
import { EntrancePage } from "../../session/EntrancePage.tsx";
import { noteSignedIn, useSignedOut } from "../../transport/signed-out.ts";
import { PersonContext } from "../../service-requests/person.ts";
import { useServiceAnswer } from "../../service-requests/service-queries.ts";
import { InvitationForm } from "./InvitationForm.tsx";
import { forgetInvitation, useInvitationSecret } from "./invitation-secret.ts";
import { invalidatePages } from "./invalidate-pages.ts";
import {
  forgetPasswordLink,
  usePasswordLinkSecret,
} from "./password-link-secret.ts";
import { PasswordLinkForm } from "./PasswordLinkForm.tsx";
import { PersonSignIn } from "./PersonSignIn.tsx";
import { useNewPageForOther } from "./new-page-for-other.ts";

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
  const passwordSecret = usePasswordLinkSecret();
  const { data, error } = signedIn;
  const { wasIn, isOther } = useNewPageForOther(data?.person?.id ?? null);
  useSignedInAgain(signedIn);
  if (isOther) return null;
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
  if (passwordSecret !== null)
    return (
      <EntrancePage>
        <PasswordLinkForm
          key={passwordSecret}
          secret={passwordSecret}
          isSignedIn={person !== null}
          onLeave={forgetPasswordLink}
        />
      </EntrancePage>
    );
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

/** The person may have signed in again in another tab, or the rejected request was sent before they did. */
function useSignedInAgain({
  data,
  dataUpdatedAt,
  refetch,
}: UseQueryResult<SignedInV3>): void {
  const client = useQueryClient();
  const signedOut = useSignedOut();
  /** Of the response that was there when the session was noted to be over. */
  const before = useRef<number | null>(null);
  const isIn = data?.person != null;
  useEffect(() => {
    if (signedOut !== "over") before.current = null;
    else if (before.current === null) {
      before.current = dataUpdatedAt;
      // Ends one that is pending: every later response was asked for after the rejection.
      refetch().catch(notifyInternalError);
    } else if (isIn && dataUpdatedAt !== before.current) {
      noteSignedIn();
      invalidatePages(client).catch(notifyInternalError);
    }
  }, [signedOut, isIn, dataUpdatedAt, refetch, client]);
}
