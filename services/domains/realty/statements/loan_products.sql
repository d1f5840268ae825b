-- id: loan_products.v1
-- table: loan_products
-- Loans by bank and product, the lowest rate first; an empty purpose or bank means every one.
-- param: purpose text
-- param: bank text
-- param: row_limit integer
SELECT
    l.loan_id, l.bank_ko, l.bank_en, l.name_ko, l.name_en, l.purpose, l.rate_low_percent, l.rate_high_percent,
    l.rate_kind, l.limit_krw, l.ltv_max_percent, l.dsr_max_percent, l.term_years_max, l.income_max_krw,
    l.homeless_only, l.early_repayment_fee_percent,
    l.as_of, l.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM loan_products AS l
JOIN datasets AS d ON d.dataset_id = l.dataset_id
WHERE (:purpose = '' OR l.purpose = :purpose)
AND (:bank = '' OR LOWER(l.bank_ko) = :bank OR LOWER(l.bank_en) = :bank)
ORDER BY l.rate_low_percent, l.loan_id
LIMIT :row_limit
