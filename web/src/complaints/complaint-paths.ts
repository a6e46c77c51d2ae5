/** The addresses of the pages of complaints. */
export const complaintPaths = {
  operatorComplaints: (status?: 'over') => `/operator/complaints${status ? `?status=${status}` : ''}`,
  operatorComplaint: (id: string) => `/operator/complaints/${encodeURIComponent(id)}`,
  /** One's own complaints about all saccos, also those that one has left. */
  complaints: () => '/profile/complaints',
  complaint: (id: string) => `/profile/complaints/${encodeURIComponent(id)}`,
  clientComplaints: (view?: string) => `/client/complaints${view ? `?view=${view}` : ''}`,
  clientComplaint: (id: string) => `/client/complaints/${encodeURIComponent(id)}`,
  clientComplaintToAnswer: (id: string) => `/client/complaints/answer/${encodeURIComponent(id)}`,
} as const;
