-- id: offers_by_product.v1
-- table: offers
-- The offers of named products.
-- param: product_ids text[10]
-- param: row_limit integer
SELECT
    p.product_id, p.name_ko, p.name_en, p.brand_ko, p.brand_en, f.list_price_krw, f.discount_percent, f.price_krw,
    f.rating, f.review_count, f.stock,
    f.as_of, f.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM offers AS f
JOIN products AS p ON p.product_id = f.product_id
JOIN datasets AS d ON d.dataset_id = f.dataset_id
WHERE p.product_id IN (
    :product_ids_1, :product_ids_2, :product_ids_3, :product_ids_4, :product_ids_5,
    :product_ids_6, :product_ids_7, :product_ids_8, :product_ids_9, :product_ids_10
)
ORDER BY f.price_krw, p.product_id
LIMIT :row_limit
