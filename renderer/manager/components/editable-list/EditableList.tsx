// A list whose entries are edited in place: a form takes the place of the entry, or stands above the list for a new one.

import { Button, Flex, Group, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Fragment, useState, type ReactNode } from "react";

interface Props<T extends { readonly id: string }> {
  readonly label: string;
  /** The label is read out only. */
  readonly isLabelHidden?: boolean;
  /** Null where nothing can be added. */
  readonly addText: string | null;
  readonly emptyText: string;
  readonly items: readonly T[];
  /** `null`: a new entry. */
  readonly form: (item: T | null, onClose: () => void) => ReactNode;
  readonly row: (item: T, onEdit: () => void) => ReactNode;
}

export function EditableList<T extends { readonly id: string }>(
  props: Props<T>,
): ReactNode {
  const { label, isLabelHidden = false, items, form, row } = props;
  /** Empty: a new entry. */
  const [editedId, setEditedId] = useState<string | null>(null);
  const close = (): void => {
    setEditedId(null);
  };
  return (
    <section aria-label={label}>
      <Group justify={isLabelHidden ? "flex-end" : "space-between"} mb={8}>
        {isLabelHidden ? null : (
          <Title order={3} fz={16} lh="24px">
            {label}
          </Title>
        )}
        {props.addText === null ? null : (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden />}
            disabled={editedId === ""}
            onClick={() => {
              setEditedId("");
            }}
          >
            {props.addText}
          </Button>
        )}
      </Group>
      {editedId === "" ? (
        form(null, close)
      ) : items.length === 0 ? (
        <Text c="dimmed">{props.emptyText}</Text>
      ) : null}
      <Flex component="ul" direction="column">
        {items.map((item) =>
          item.id === editedId ? (
            <li key={item.id}>{form(item, close)}</li>
          ) : (
            <Fragment key={item.id}>
              {row(item, () => {
                setEditedId(item.id);
              })}
            </Fragment>
          ),
        )}
      </Flex>
    </section>
  );
}
