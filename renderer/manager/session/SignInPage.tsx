// The sign-in page of a browser: takes the player's password or an access token, or the code that a phone scanned from the screen.

import { Button, Center, Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { forgetPhoneCode, usePhoneCode } from "./phone-code.ts";
import { PhoneSignIn } from "./PhoneSignIn.tsx";
import { SecretSignIn } from "./SecretSignIn.tsx";

export function SignInPage(): ReactNode {
  const code = usePhoneCode();
  return (
    <Center component="main" mih="100dvh" p={16} bg="var(--ground)">
      <Paper withBorder radius={10} p={24} w="100%" maw={420}>
        <Title order={1} fz={20} lh="28px">
          {t("session.title")}
        </Title>
        {code === null ? (
          <SecretSignIn />
        ) : (
          <>
            <PhoneSignIn key={code} code={code} />
            <Button
              variant="default"
              fullWidth
              mt={8}
              onClick={forgetPhoneCode}
            >
              {t("session.phone.other")}
            </Button>
          </>
        )}
      </Paper>
    </Center>
  );
}
