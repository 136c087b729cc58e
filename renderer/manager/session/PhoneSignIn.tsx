// Signs in the phone that scanned the QR code of the screen: only when the person confirms it, since a preview of the link may open
// the page, too (V2-785).

import { Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { useSignIn } from "./use-sign-in.ts";

export function PhoneSignIn({ code }: { readonly code: string }): ReactNode {
  const { signIn, isPending, error } = useSignIn(t("session.phone.wrong"));
  return (
    <>
      {error === null ? (
        <Text c="dimmed" mt={4}>
          {t("session.phone.hint")}
        </Text>
      ) : (
        <Text role="alert" mt={4} mb={16}>
          {error.reason}
        </Text>
      )}
      {error?.isRejected === true ? null : (
        <Button
          fullWidth
          mt={16}
          loading={isPending}
          onClick={() => {
            signIn({ phone_code: code }).catch(notifyInternalError);
          }}
        >
          {t("session.phone.signIn")}
        </Button>
      )}
    </>
  );
}
