import { createElement, type FunctionComponent } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { textOf } from '../../ui/test-text.ts';
import { AccountPicture } from './example.tsx';
import { LandingMore } from './landing-more.tsx';
import { GuaranteePicture, LoanPicture, TradingPicture, VotePicture } from './pictures.tsx';

vi.mock('../../session/session.ts', async (original) => ({ ...(await original<object>()), useSession: () => null }));

const drawn = (part: FunctionComponent) => textOf(createElement(MemoryRouter, null, createElement(part)));

test('each picture of the landing page says that it is an example', () => {
  for (const picture of [AccountPicture, GuaranteePicture, LoanPicture, TradingPicture, VotePicture])
    expect(drawn(picture), picture.name).toMatch(/^Example /);
});

test('the landing page tells the order of the market, and that a change is carried out where a vote is about one', () => {
  const words = drawn(LandingMore);
  expect(words).toContain('best price first, then who came first');
  expect(words).not.toMatch(/first come,? first served/i);
  expect(words).toContain('A change that passes is carried out');
});
