import type { NoticePages } from '../layouts/notice-page.ts';
import { say } from '../words/say.ts';
import { complaintPaths } from './complaint-paths.ts';

export const noticePages: NoticePages = {
  complaint_: { words: () => say('Complaints'), to: () => complaintPaths.clientComplaints(), isOfSacco: true },
};
