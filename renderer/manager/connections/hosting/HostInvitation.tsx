// A link with which a person signs in to the content service on this PC in a browser, as an administrator.

import { Box, Button, Text, TextInput } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { useRefusal } from "../../components/outcomes/use-attempt.ts";
import { useFreshSecret } from "../../components/secrets/fresh-secrets.ts";
import { SecretOnce } from "../../components/secrets/SecretList.tsx";
import { reasonOf } from "../../api/reason.ts";

export function HostInvitation(): ReactNode {
  const [link, setLink] = useFreshSecret("host.link");
  const [email, setEmail] = useState("");
  const { isUnderWay, attempt, atField, forget } = useRefusal(
    (error) => `${t("hosting.people.failed")} ${reasonOf(error)}`,
  );
  const make = async (): Promise<void> => {
    const name = email.trim();
    const made = await window.manager.inviteHostPerson({ email: name });
    setLink({ name, secret: made.link });
    setEmail("");
  };
  return (
    <Box
      component="section"
      className="line-above"
      p={16}
      aria-label={t("hosting.people.title")}
    >
      <Text component="h4" fw={600}>
        {t("hosting.people.title")}
      </Text>
      <p className="quiet">{t("hosting.people.description")}</p>
      <Box mx={-16} mt={12} mb={-16}>
        {link ? (
          <SecretOnce
            title={t("team.linkFor", { name: link.name })}
            secret={link.secret}
            takesFocus
            onKept={() => {
              setLink(null);
            }}
          />
        ) : (
          <form
            className="panel-form"
            onSubmit={(event) => {
              event.preventDefault();
              attempt(make);
            }}
          >
            <TextInput
              flex="1 1 240px"
              label={t("service.email")}
              type="email"
              autoComplete="off"
              required
              dir="ltr"
              value={email}
              {...atField}
              onChange={(event) => {
                setEmail(event.currentTarget.value);
                forget();
              }}
            />
            <Button
              type="submit"
              variant="default"
              leftSection={<IconMail size={18} aria-hidden />}
              loading={isUnderWay}
            >
              {t("hosting.people.make")}
            </Button>
          </form>
        )}
      </Box>
    </Box>
  );
}
