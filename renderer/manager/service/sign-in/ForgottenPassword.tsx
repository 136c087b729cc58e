// Requests a link for a new password; the page shows the same whether or not the address has an account (V3-204).

import { Button, Stack, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { EmailField } from "../../components/controls/EmailField.tsx";
import { reasonOf } from "../../api/reason.ts";
import { Refusal } from "../../api/refusal.ts";
import { requestService } from "../../service-requests/service-requests.ts";
import { EntranceForm } from "./EntranceForm.tsx";

export function ForgottenPassword({
  email: typed,
  onLeave,
}: {
  /** As far as it was typed to sign in. */
  readonly email: string;
  readonly onLeave: (email: string) => void;
}): ReactNode {
  const [email, setEmail] = useState(typed);
  const [isSent, setIsSent] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const submit = async (): Promise<void> => {
    setReason(null);
    setIsPending(true);
    try {
      await requestService("POST", "/password-links/", { email });
      setIsSent(true);
    } catch (error) {
      setReason(
        error instanceof Refusal && error.code === "too-many"
          ? t("service.forgotten.tooMany")
          : reasonOf(error),
      );
    } finally {
      setIsPending(false);
    }
  };
  const leave = (
    <Button
      variant={isSent ? "filled" : "default"}
      autoFocus={isSent}
      onClick={() => {
        onLeave(email);
      }}
    >
      {t("service.forgotten.back")}
    </Button>
  );
  if (isSent)
    return (
      <Stack gap={16}>
        <div>
          <Title order={1} fz={20} lh="28px">
            {t("service.forgotten.sentTitle")}
          </Title>
          <Text role="status" mt={4}>
            {t("service.forgotten.sent", { email })}
          </Text>
        </div>
        {leave}
      </Stack>
    );
  return (
    <EntranceForm
      title={t("service.forgotten.title")}
      about={t("service.forgotten.about")}
      reason={reason}
      submitLabel={t("service.forgotten.send")}
      isPending={isPending}
      onSubmit={submit}
      below={leave}
    >
      <EmailField autoComplete="username" value={email} onType={setEmail} />
    </EntranceForm>
  );
}
