import { merchantInput } from '#app/features/merchants/merchant-input.ts';
import { merchantMessages } from '#app/features/merchants/merchant-messages.ts';
import { editableMerchants } from '#app/features/merchants/editable-merchants.server.ts';
import { merchantTexts } from './merchant-texts.ts';

export const merchantEditor = {
  noun: 'merchant',
  list: '/admin/merchants',
  rows: editableMerchants,
  input: merchantInput,
  textsOf: merchantTexts,
  messages: merchantMessages,
};
