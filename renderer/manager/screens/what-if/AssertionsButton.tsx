// Opens the assertions of the content services.

import { Stack, Text } from "@mantine/core";
import { IconListCheck } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { ScreenServiceView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../../locales/messages.ts";
import { ModalButton } from "../../components/controls/ModalButton.tsx";
import { reasonOf } from "../../api/reason.ts";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { useQuestion, useRefetch } from "../../api/manager-queries.ts";
import { ServiceChoice } from "../../fleet/ServiceChoice.tsx";
import { serviceName } from "../../fleet/use-screens.ts";
import { AssertionList } from "./AssertionList.tsx";

interface Props {
  readonly services: readonly ScreenServiceView[];
}

export function AssertionsButton({ services }: Props): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  const service = services.find(({ id }) => id === chosen) ?? services[0];
  return (
    <ModalButton
      icon={IconListCheck}
      text={t("assertions.title")}
      size="xl"
      title={t("assertions.title")}
    >
      {() => (
        <Stack gap={20}>
          <Text c="dimmed">{t("assertions.about")}</Text>
          <ServiceChoice
            services={services}
            serviceId={service?.id ?? null}
            onChosen={setChosen}
          />
          {service ? <AssertionsOf key={service.id} service={service} /> : null}
        </Stack>
      )}
    </ModalButton>
  );
}

function AssertionsOf({
  service,
}: {
  readonly service: ScreenServiceView;
}): ReactNode {
  const serviceId = service.id;
  const { data, error, isFetching } = useQuestion("listAssertions", {
    serviceId,
  });
  const refetch = useRefetch();
  if (error !== null)
    return (
      <ErrorAlert
        sentence={t("assertions.loadFailed", { name: serviceName(service) })}
        reason={reasonOf(error)}
        isTrying={isFetching}
        onTryAgain={() => {
          refetch("listAssertions").catch(notifyInternalError);
        }}
      />
    );
  if (data === undefined)
    return (
      <Text className="after-a-moment" c="dimmed">
        {t("manager.loading")}
      </Text>
    );
  if (data === null) return <Text>{t("assertions.unsupported")}</Text>;
  return <AssertionList serviceId={serviceId} assertions={data} />;
}
