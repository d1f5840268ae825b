-- id: rewards.v1
-- table: coupons
-- Points and coupons of one user: the balance of points first, then the coupons by the end of their validity.
-- param: tenant text
-- param: user_id text
-- param: row_limit integer
SELECT
    w.kind, w.reward_id, w.name_ko, w.name_en, w.value, w.order_min_krw, w.discount_max_krw, w.valid_until,
    w.used_order_id, w.as_of, w.dataset_id, d.source AS dataset_source, d.sample AS dataset_sample
FROM (
    SELECT
        0 AS place, 'points' AS kind, 'POINTS' AS reward_id, '포인트' AS name_ko, 'Points' AS name_en,
        u.points_krw AS value, 0 AS order_min_krw, u.points_krw AS discount_max_krw, NULL AS valid_until,
        NULL AS used_order_id, u.as_of, u.dataset_id
    FROM shop_users AS u
    WHERE u.tenant = :tenant AND u.user_id = :user_id
    UNION ALL
    SELECT
        1, c.kind, c.coupon_id, c.name_ko, c.name_en, c.value, c.order_min_krw, c.discount_max_krw, c.valid_until,
        c.used_order_id, c.as_of, c.dataset_id
    FROM coupons AS c
    WHERE c.tenant = :tenant AND c.user_id = :user_id
) AS w
JOIN datasets AS d ON d.dataset_id = w.dataset_id
ORDER BY w.place, w.valid_until, w.reward_id
LIMIT :row_limit
