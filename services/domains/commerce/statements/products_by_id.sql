-- id: products_by_id.v1
-- table: products
-- Products by id with their offers, within the limits of a search.
-- param: ids text[48]
-- param: category text
-- param: brand text
-- param: price_min_krw integer
-- param: price_max_krw integer
-- param: row_limit integer
SELECT
    p.product_id, p.name_ko, p.name_en, p.brand_ko, p.brand_en, p.category, p.attributes,
    o.offer_id, o.list_price_krw, o.discount_percent, o.price_krw, o.rating, o.review_count, o.stock,
    o.as_of, o.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM products AS p
JOIN offers AS o ON o.product_id = p.product_id
JOIN datasets AS d ON d.dataset_id = o.dataset_id
WHERE p.product_id IN (
    :ids_1, :ids_2, :ids_3, :ids_4, :ids_5, :ids_6, :ids_7, :ids_8,
    :ids_9, :ids_10, :ids_11, :ids_12, :ids_13, :ids_14, :ids_15, :ids_16,
    :ids_17, :ids_18, :ids_19, :ids_20, :ids_21, :ids_22, :ids_23, :ids_24,
    :ids_25, :ids_26, :ids_27, :ids_28, :ids_29, :ids_30, :ids_31, :ids_32,
    :ids_33, :ids_34, :ids_35, :ids_36, :ids_37, :ids_38, :ids_39, :ids_40,
    :ids_41, :ids_42, :ids_43, :ids_44, :ids_45, :ids_46, :ids_47, :ids_48
)
AND (:category = '' OR p.category = :category)
AND (:brand = '' OR LOWER(p.brand_en) = :brand OR LOWER(p.brand_ko) = :brand)
AND o.price_krw >= :price_min_krw
AND o.price_krw <= :price_max_krw
ORDER BY CASE WHEN o.stock > 0 THEN 0 ELSE 1 END, o.rating DESC, o.review_count DESC, p.product_id
LIMIT :row_limit
