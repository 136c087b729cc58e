// Checks the secret of a link, and shows its form, or that it is no longer valid (V3-143, V3-205).

import { Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { reasonOf } from "../../api/reason.ts";
import { Refusal } from "../../api/refusal.ts";
import { requestService } from "../../service-requests/service-requests.ts";
import { linkKey } from "./invalidate-pages.ts";

export interface LinkProps {
  readonly secret: string;
  /** In this browser, as any person. */
  readonly isSignedIn: boolean;
  readonly onLeave: () => void;
}

export function LinkCheck<Preview>({
  secret,
  isSignedIn,
  onLeave,
  previewPath,
  invalid,
  loadFailed,
  children,
}: LinkProps & {
  readonly previewPath: string;
  /** Sentences. */
  readonly invalid: string;
  readonly loadFailed: string;
  readonly children: (preview: Preview) => ReactNode;
}): ReactNode {
  const link = useQuery({
    queryKey: [linkKey, previewPath, secret],
    queryFn: () => requestService<Preview>("POST", previewPath, { secret }),
    ...{ retry: false, gcTime: 0 },
  });
  const { data, error } = link;
  const isInvalid =
    error instanceof Refusal && ["not-found", "invalid"].includes(error.code);
  const leave = (
    <Button variant="default" fullWidth mt={16} onClick={onLeave}>
      {isSignedIn
        ? t("service.invitation.toManager")
        : t("service.invitation.toSignIn")}
    </Button>
  );
  if (isInvalid)
    return (
      <>
        <Title order={1} fz={20} lh="28px">
          {t("service.invitation.invalidTitle")}
        </Title>
        <Text role="alert" mt={4}>
          {invalid}
        </Text>
        {leave}
      </>
    );
  if (error !== null)
    return (
      <ErrorAlert
        sentence={loadFailed}
        reason={reasonOf(error)}
        isTrying={link.isFetching}
        onTryAgain={() => {
          link.refetch().catch(notifyInternalError);
        }}
      />
    );
  if (data === undefined)
    return (
      <Text className="after-a-moment" c="dimmed">
        {t("manager.loading")}
      </Text>
    );
  return (
    <>
      {children(data)}
      {leave}
    </>
  );
}
