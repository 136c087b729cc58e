// Signs a person in with a passkey of their browser or device (V3-213).

import { Button, Text } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { PasskeyOptionsV3 } from "../../../../server/contract/v3/v3-passkeys.ts";
import { t } from "../../../locales/messages.ts";
import { getPasskey } from "../../api/passkey.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { requestService } from "../../service-requests/service-requests.ts";
import { entranceReason, useEntrance } from "./use-entrance.ts";

const path = "/sign-in/passkey/";

export function PasskeySignIn(): ReactNode {
  const [reason, setReason] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { enter, isPending } = useEntrance();
  const signIn = async (): Promise<void> => {
    setReason(null);
    setIsAsking(true);
    try {
      const options = await requestService<PasskeyOptionsV3>(
        ...(["POST", `${path}options/`] as const),
      );
      await enter(path, { credential: await getPasskey(options) });
    } catch (error) {
      setReason(
        error instanceof DOMException
          ? t("service.passkey.canceled")
          : entranceReason(error, t("service.passkey.refused")),
      );
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <>
      {reason === null ? null : (
        <Text role="alert" c="var(--fault)">
          {reason}
        </Text>
      )}
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isAsking || isPending}
        onClick={() => {
          signIn().catch(notifyInternalError);
        }}
      >
        {t("service.passkey.signIn")}
      </Button>
    </>
  );
}
