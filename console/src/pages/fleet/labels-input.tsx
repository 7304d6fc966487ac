import { TagsInput, type TagsInputProps } from '@mantine/core';

/** Labels of agents. A comma or a space ends a label, and so does leaving the field. */
export function LabelsInput(props: Pick<TagsInputProps, 'label' | 'description' | 'value' | 'error' | 'onChange'>) {
  return <TagsInput {...props} maxTags={20} splitChars={[',', ' ']} acceptValueOnBlur />;
}
