// Signs a person in with the OpenID Connect provider of the service (V3-207).

import { Button, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { OpenidAddressV3 } from "../../../../server/contract/v3/v3-people.ts";
import { t } from "../../../locales/messages.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { reasonOf } from "../../api/reason.ts";
import { Refusal } from "../../api/refusal.ts";
import { requestService } from "../../service-requests/service-requests.ts";
import {
  failureText,
  forgetSignInFailure,
  useSignInFailure,
} from "./sign-in-failure.ts";

export function OpenidSignIn({ label }: { readonly label: string }): ReactNode {
  const failure = useSignInFailure();
  const [reason, setReason] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const begin = async (): Promise<void> => {
    setReason(null);
    setIsPending(true);
    forgetSignInFailure();
    try {
      const { address } = await requestService<OpenidAddressV3>(
        ...(["POST", "/sign-in/openid/"] as const),
      );
      // The button stays busy until the page is left.
      window.location.assign(address);
    } catch (error) {
      setIsPending(false);
      setReason(textOf(error, label));
    }
  };
  const shown =
    reason ?? (failure === null ? null : failureText(failure, label));
  return (
    <>
      {shown === null ? null : (
        <Text role="alert" c="var(--fault)">
          {shown}
        </Text>
      )}
      <Button
        variant="default"
        loading={isPending}
        onClick={() => {
          begin().catch(notifyInternalError);
        }}
        styles={{ label: { whiteSpace: "normal", lineHeight: 1.4 } }}
        h="auto"
        mih={36}
        py={6}
      >
        {t("service.openid.signIn", { label })}
      </Button>
    </>
  );
}

function textOf(error: unknown, label: string): string {
  if (!(error instanceof Refusal)) return reasonOf(error);
  if (error.code === "too-many") return t("session.tooMany");
  return t("service.openid.unreachable", { label });
}
