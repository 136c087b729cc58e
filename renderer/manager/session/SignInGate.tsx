// Shows the sign-in page instead of the manager while this browser has to sign in (V2-772).

import { Box } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { reasonOf } from "../api/reason.ts";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { useAnswer } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import { t } from "../../locales/messages.ts";
import { forgetPhoneCode } from "./phone-code.ts";
import { SignInPage } from "./SignInPage.tsx";
import { useSignedOut } from "../transport/signed-out.ts";

export function SignInGate({
  children,
}: {
  readonly children: ReactNode;
}): ReactNode {
  return can("signIn") ? <Gate>{children}</Gate> : children;
}

function Gate({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, error, isFetching, refetch } = useAnswer("readSession", {});
  const signedOut = useSignedOut();
  const isToSignIn =
    signedOut !== "no" || (data?.is_required === true && !data.is_signed_in);
  const isIn = data !== undefined && !isToSignIn;
  useEffect(() => {
    // One that was scanned by a browser that is signed in is of no use later.
    if (isIn) forgetPhoneCode();
  }, [isIn]);
  if (data === undefined)
    return error ? (
      <Box p={24} maw={640} mx="auto">
        <ErrorAlert
          sentence={t("session.loadFailed")}
          reason={reasonOf(error)}
          isTrying={isFetching}
          onTryAgain={() => {
            refetch().catch(notifyInternalError);
          }}
        />
      </Box>
    ) : null;
  return isToSignIn ? <SignInPage /> : children;
}
