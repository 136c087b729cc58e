// The sign-in page of a browser: takes the player's password or an access token.

import {
  Button,
  Center,
  Paper,
  PasswordInput,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../api.ts";
import {
  SecretOnce,
  useFreshSecret,
} from "../components/secrets/SecretList.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { operate, Refusal } from "../operations.ts";
import { t } from "../../locales/messages.ts";
import { noteSignedIn, useSignedOut } from "./signed-out.ts";

export function SignInPage(): ReactNode {
  const client = useQueryClient();
  const signedOut = useSignedOut();
  const [secret, setSecret] = useState("");
  // Made by this page, which requires one from that moment on.
  const [made, setMade] = useFreshSecret("player");
  const [reason, setReason] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const signIn = async (): Promise<void> => {
    setIsPending(true);
    try {
      await operate("signIn", { body: { password: secret } });
      // What was begun before the session ended goes on; after a sign-out, nothing is left in the page.
      if (signedOut === "left") window.location.reload();
      else {
        noteSignedIn();
        await client.invalidateQueries();
      }
    } catch (error) {
      setReason(reasonFor(error));
      setIsPending(false);
    }
  };
  return (
    <Center component="main" mih="100dvh" p={16} bg="var(--ground)">
      <Paper
        component="form"
        withBorder
        radius={10}
        p={24}
        w="100%"
        maw={420}
        onSubmit={(event) => {
          event.preventDefault();
          signIn().catch(notifyInternalError);
        }}
      >
        <Stack gap={16}>
          <div>
            <Title order={1} fz={20} lh="28px">
              {t("session.title")}
            </Title>
            <Text c="dimmed" mt={4}>
              {t("session.hint")}
            </Text>
          </div>
          {made ? (
            <SecretOnce
              title={t("settings.tokens.createdTitle", { name: made.name })}
              secret={made.secret}
              takesFocus={false}
              onKept={() => {
                setSecret(made.secret);
                setMade(null);
              }}
            />
          ) : null}
          <PasswordInput
            label={t("session.secret")}
            autoComplete="current-password"
            autoFocus
            required
            dir="ltr"
            value={secret}
            error={reason}
            onChange={(event) => {
              setSecret(event.currentTarget.value);
              setReason(null);
            }}
          />
          <Button type="submit" loading={isPending}>
            {t("session.signIn")}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}

function reasonFor(error: unknown): string {
  if (!(error instanceof Refusal)) return reasonOf(error);
  if (error.code === "unauthorized") return t("session.wrong");
  if (error.code === "too-many") return t("session.tooMany");
  return error.message;
}
